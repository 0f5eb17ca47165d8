/** Words of the screens of incident templates. */
export const TEMPLATE_WORDS = {
  title: 'Templates',
  text: 'A template fills the form of a new incident. It is not published by itself.',
  none: 'There is no template yet.',
  new: 'Add a template',
  name: 'Name',
  name_hint: 'For your team only: “Database outage”.',
  incident_title: 'Title of the incident',
  body_hint: (standard: string) =>
    `What people read first. If you leave this empty, we publish: “${standard}”`,
  monitors: 'What is affected?',
  use: 'Report an incident with it',
  delete_title: (name: string) => `Delete the template ${name}?`,
  delete_text: 'Incidents that were reported with it do not change.',
  in_use: (monitor: string) =>
    `The monitor “${monitor}” makes drafts from this template. Choose another one on its screen first. Nothing has been deleted.`,
} as const;
