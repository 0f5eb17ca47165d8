/** Words that only mail has, in English. The others are the words of the pages (`page-model/languages/`). */
export const MAIL_EN = {
  rescheduled: (title: string) => `Rescheduled: ${title}`,
  reminder: (title: string) => `Starts soon: ${title}`,
  see_details: 'View on the status page',
  reason: (page: string) => `You get this mail because you have subscribed to ${page}.`,
  manage: 'Change or end the subscription',
  confirm_subject: 'Confirm your subscription',
  confirm_text: (page: string) =>
    `To receive email about ${page} at this address, confirm the subscription on the linked page.`,
  confirm: 'Confirm the subscription',
  ignore: 'If you did not request this, ignore this email. You will not receive any others.',
  subscribed_subject: 'You have subscribed already',
  subscribed_text: (page: string) =>
    `Someone tried to subscribe this address to ${page}. It is already subscribed, so you do not need to do anything.`,
  access_subject: 'Your link to the status page',
  access_text: (page: string) => `To view ${page}, open the link below within 15 minutes. It works once.`,
  access: 'Open the status page',
  access_ignore: 'If you did not request this link, ignore this email.',
};

/** Words of mail in a language. */
export type MailWords = typeof MAIL_EN;
