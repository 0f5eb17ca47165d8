import { ApiSchema } from '@nestjs/swagger';
import { ObjectOf, Text } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { EmailDomains, Emails, Networks } from './access-fields.js';
import { AccessOidcDto } from './access.dto.js';

/** A provider of OpenID Connect in a request. */
@Refuses({ has_client_secret: 'is read-only; send client_secret' })
@ApiSchema({ name: 'AccessOidcReplace' })
export class ReplaceAccessOidcDto extends AccessOidcDto {
  @Text({
    min: 1,
    max: 1_000,
    optional: true,
    nullable: true,
    description:
      'Client secret, stored encrypted. If omitted, the stored one is kept if `issuer` and `client_id` are unchanged, and otherwise removed. null: a public client without a secret.',
    example: 'an example secret',
  })
  client_secret?: string | null;
}

/** Request body of `PUT /v1/status-pages/{id}/access`. Replaces all rules; only secrets that are omitted are kept. */
@Refuses({
  has_password: 'is read-only; send password',
  status_page_id: READ_ONLY,
  project_id: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'AccessReplace' })
export class ReplaceAccessDto {
  @Text({
    min: 8,
    max: 200,
    optional: true,
    nullable: true,
    description:
      'Password of the page, stored as Argon2id hash. Omitted: the stored one is kept. null: no password.',
    example: 'correct horse battery staple',
  })
  password?: string | null;

  @Emails({
    optional: true,
    default: [],
    description: 'Email addresses that get a link by mail. Compared without regard to case.',
    example: ['jane@acme.example'],
  })
  emails: string[] = [];

  @EmailDomains({
    optional: true,
    default: [],
    description: 'Domains whose email addresses get a link by mail. Without their subdomains.',
    example: ['acme.example'],
  })
  email_domains: string[] = [];

  @Networks({
    optional: true,
    default: [],
    description: 'IP addresses and networks in CIDR notation whose clients see the page without a gate.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  networks: string[] = [];

  @ObjectOf(ReplaceAccessOidcDto, {
    optional: true,
    nullable: true,
    default: null,
    description: 'Provider of OpenID Connect whose accounts may see the page; null or omitted: none.',
    example: null,
  })
  oidc: ReplaceAccessOidcDto | null = null;
}
