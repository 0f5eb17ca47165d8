/** Words of the screens of incident drafts. */
export const DRAFT_WORDS = {
  title: 'Drafts',
  text: 'Visitors do not see drafts. A draft disappears when its monitor has recovered.',
  review: 'Review and publish',
  review_label: (title: string) => `Review and publish ${title}`,
  discard: 'Discard',
  discard_label: (title: string) => `Discard ${title}`,
  discard_title: (title: string) => `Discard ${title}?`,
  discard_text: 'Only the draft is deleted. The next time that the monitor fails, there is a new one.',
  gone: 'The draft does not exist any more: its monitor has recovered, or another member has published or discarded it. Nothing has been sent. Review again to publish what is in this form.',
  rule: 'Draft of an incident',
  rule_hint:
    'When the status becomes worse than operational, a draft is made from this template. Nothing is published by itself.',
  no_rule: 'None',
  other_template: 'Another template',
} as const;
