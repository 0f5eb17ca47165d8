/** Channel of deliveries with links to sign in. */
export const MEMBER_CHANNEL = 'member';

/** Kind of a delivery whose recipient is a member who has been invited. */
export const INVITATION = 'invitation';

/** Kind of a delivery whose recipient is a form with an address. */
export const LINK = 'link';
