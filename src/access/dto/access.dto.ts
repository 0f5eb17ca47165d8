import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Text } from '../../platform/validation/fields.js';
import { MAX_OIDC_LENGTH } from '../../platform/config/issuer-url.js';
import { EmailDomains, Emails, Issuer, Networks } from './access-fields.js';

/** A provider of OpenID Connect, without the secret. */
@ApiSchema({ name: 'AccessOidc' })
export class AccessOidcDto {
  @Issuer({
    description:
      'Issuer identifier of the provider, below which `/.well-known/openid-configuration` is. `https`, except for localhost and addresses in `WEBHOOK_ALLOWED_NETWORKS`.',
    example: 'https://login.acme.example',
  })
  issuer!: string;

  @Text({
    min: 1,
    max: MAX_OIDC_LENGTH,
    description: 'Client ID that the provider has issued.',
    example: 'status-page',
  })
  client_id!: string;

  @EmailDomains({
    optional: true,
    default: [],
    description:
      'Domains of the verified email addresses that may see the page. Empty: every account of the provider. Responses always contain it.',
    example: ['acme.example'],
  })
  email_domains: string[] = [];
}

/** A provider in a response. */
@ApiSchema({ name: 'AccessOidcState' })
export class AccessOidcStateDto extends AccessOidcDto {
  @ApiProperty({ description: 'Whether a client secret is stored. No response contains it.', example: true })
  has_client_secret!: boolean;
}

/** Rules of who may see a private status page, in a response. */
@ApiSchema({ name: 'Access' })
export class AccessDto {
  @ApiProperty({ description: 'Whether the page has a password. No response contains it.', example: true })
  has_password!: boolean;

  @Emails({
    description: 'Email addresses that get a link by mail. Compared without regard to case.',
    example: ['jane@acme.example'],
  })
  emails!: string[];

  @EmailDomains({
    description: 'Domains whose email addresses get a link by mail. Without their subdomains.',
    example: ['acme.example'],
  })
  email_domains!: string[];

  @Networks({
    description: 'IP addresses and networks in CIDR notation whose clients see the page without a gate.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  networks!: string[];

  @ApiProperty({
    type: () => AccessOidcStateDto,
    nullable: true,
    description: 'Provider of OpenID Connect whose accounts may see the page; null: none.',
  })
  oidc!: AccessOidcStateDto | null;

  @ResponseId('Status page that the rules belong to.', EXAMPLE_IDS.status_page)
  status_page_id!: string;

  @ResponseId('Project that owns the status page.', EXAMPLE_IDS.project)
  project_id!: string;

  @UpdatedAt()
  updated_at!: Date;
}
