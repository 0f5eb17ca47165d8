/** Words of the screens of maintenance windows. */
export const MAINTENANCE_WORDS = {
  new_title: 'Schedule maintenance',
  name: 'Title',
  name_hint: 'What you do, in a few words: “Database upgrade”.',
  body: 'Text',
  body_hint: 'What people notice during it. Can be empty.',
  starts_at: 'Start',
  ends_at: 'End',
  zone: (zone: string) => `In the time zone of the page: ${zone}`,
  monitors: 'Under maintenance',
  edit: 'Edit',
  actions: {
    start: 'Start now',
    extend: 'Extend by 30 minutes',
    end: 'End now',
    cancel: 'Cancel maintenance',
  },
  update_title: 'Next update',
  update: 'Update',
  update_hint: 'It appears on the page. It sends no mail.',
} as const;
