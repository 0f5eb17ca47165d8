/** Words of the screen of one monitor. */
export const MONITOR_WORDS = {
  key: 'Short name',
  key_hint: 'Reports and alerts can use it instead of the ID: “api”. Can be empty.',
  stale_after: 'Unknown after (seconds)',
  stale_after_hint:
    'If no report arrives for so long, the status becomes unknown. 60 to 604,800 seconds. Empty: never.',
  id: 'ID for reports',
  delete_title: (name: string) => `Delete ${name}?`,
  delete_text:
    'The monitor disappears from all pages, incidents and maintenance, with its history. Its uptime cannot be restored.',
} as const;
