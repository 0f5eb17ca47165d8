/** Words of the lists of incidents and maintenance windows. */
export const LIST_WORDS = {
  incidents: 'Incidents',
  maintenances: 'Maintenance',
  filter: 'Which incidents',
  all: 'All',
  open: 'Open',
  past: 'Resolved',
  no_incidents: 'There is no such incident.',
  no_maintenances: 'No maintenance was scheduled yet.',
  since: (time: string) => `since ${time}`,
} as const;
