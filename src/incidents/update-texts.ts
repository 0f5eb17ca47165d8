import type { IncidentStatus } from './incident-status.js';

/** Text of an update that changes the status and has no text of its own. Stored as sent, like any other text. */
export const TEXT_OF_STATUS: Record<IncidentStatus, string> = {
  investigating: 'We are investigating this incident.',
  identified: 'The cause has been identified.',
  monitoring: 'A fix is in place. We are monitoring the result.',
  resolved: 'This incident is resolved.',
};
