/** Words that only mail has, in English. The others are the words of the pages (`public-page/languages/`). */
export const MAIL_EN = {
  rescheduled: (title: string) => `Rescheduled: ${title}`,
  reminder: (title: string) => `Starts soon: ${title}`,
  see_details: 'View on the status page',
  reason: (page: string) => `You get this mail because you have subscribed to ${page}.`,
  manage: 'Change or end the subscription',
  confirm_subject: 'Confirm your subscription',
  confirm_text: (page: string) =>
    `Someone asked to send mail about ${page} to this address. If it was you, confirm it on the linked page.`,
  confirm: 'Confirm the subscription',
  ignore: 'If it was not you, ignore this mail. Without a confirmation, there is no further mail.',
  subscribed_subject: 'You have subscribed already',
  subscribed_text: (page: string) =>
    `Someone asked to send mail about ${page} to this address. This address is already subscribed.`,
  access_subject: 'Your link to the status page',
  access_text: (page: string) =>
    `Someone asked to open ${page} with this address. If it was you, open the linked page within 15 minutes. The link works once.`,
  access: 'Open the status page',
  access_ignore: 'If it was not you, ignore this mail.',
};

/** Words of mail in a language. */
export type MailWords = typeof MAIL_EN;
