import { IsIn, IsNotEmpty, IsOptional } from 'class-validator';
import { Integer, Satisfies } from './env-rules.js';
import { isDomain, isMailbox, isSmtpUrl } from './mail-values.js';
import { parseSecretKeys } from './secret-key.js';

const DELIVERY_MODES = ['on', 'off'] as const;

/** Variables of deliveries, mail and its links. */
export abstract class MailEnv {
  /**
   * Whether this process delivers events, such as mail to subscribers.
   */
  @IsIn(DELIVERY_MODES, { message: `must be one of ${DELIVERY_MODES.join(', ')}` })
  DELIVERY: (typeof DELIVERY_MODES)[number] = 'on';

  /** Seconds between a change of an incident and the mail about it, 0 to 3600, in which the change can be corrected. */
  @Integer(0, 3600)
  NOTIFY_DELAY: number = 15;

  /** Maximum number of subscribers of a status page, 1 to 1000000. */
  @Integer(1, 1_000_000)
  MAX_SUBSCRIBERS: number = 100_000;

  /** URL of the mail server: `smtp://` or `smtps://`, with user and password. If unset, MAIL_DIR applies. */
  @Satisfies(
    isSmtpUrl,
    'must be a URL such as smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587, without path, query and fragment',
  )
  SMTP_URL?: string = undefined;

  /** Directory to which mail is written as files instead of sending it. For development; `npm start` sets it. */
  @IsOptional()
  @IsNotEmpty({ message: 'must be the path of a directory' })
  MAIL_DIR?: string = undefined;

  /** Sender of all mail: an address, or a name with an address in angle brackets. Required with SMTP_URL. */
  @Satisfies(
    (text) => typeof text === 'string' && isMailbox(text),
    'must be an address such as status@example.com, or "Status <status@example.com>"',
  )
  MAIL_FROM?: string = undefined;

  /** Domain of the DKIM signature. Requires DKIM_SELECTOR and DKIM_KEY_FILE. */
  @Satisfies(isDomain, 'must be a domain such as example.com')
  DKIM_DOMAIN?: string = undefined;

  /** Selector of the DKIM key. */
  @Satisfies(isDomain, 'must be a DKIM selector such as status2026')
  DKIM_SELECTOR?: string = undefined;

  /** File with the private DKIM key in PEM format. */
  @IsOptional()
  @IsNotEmpty({ message: 'must be the path of a file' })
  DKIM_KEY_FILE?: string = undefined;

  /**
   * Key that signs links in mail instead of the key in the database: 32 bytes in hexadecimal or base64. Several keys are
   * separated by commas; the first one signs, all verify.
   */
  @Satisfies(
    (text) => typeof text === 'string' && parseSecretKeys(text) !== undefined,
    'must be 32 bytes in hexadecimal or base64, or several such keys separated by commas',
  )
  SECRET_KEY?: string = undefined;
}

/** Returns whether mail can be sent: to a server, or to files. */
export function canSendMail({ SMTP_URL, MAIL_DIR }: MailEnv): boolean {
  return SMTP_URL !== undefined || MAIL_DIR !== undefined;
}

/** Returns an error for each combination of these variables that is invalid. */
export function mailErrorsOf(env: MailEnv): string[] {
  const errors: string[] = [];
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined)
    errors.push('MAIL_FROM must be set if SMTP_URL is set');
  if (env.SMTP_URL !== undefined && env.MAIL_DIR !== undefined)
    errors.push('MAIL_DIR must not be set if SMTP_URL is set');
  const dkim = [env.DKIM_DOMAIN, env.DKIM_SELECTOR, env.DKIM_KEY_FILE];
  if (dkim.includes(undefined) && dkim.some((value) => value !== undefined))
    errors.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE must be set together');
  return errors;
}
