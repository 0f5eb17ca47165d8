import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from '../status-pages/deleted-with-page.entity.js';

/** A provider of OpenID Connect whose accounts may see a page. */
export interface OidcRule {
  /** Issuer identifier, unchanged. */
  issuer: string;
  client_id: string;
  /** Domains of the verified addresses that may see the page. Empty: every account of the issuer. */
  email_domains: string[];
}

/** Rules of who may see a private page. A page without a row has no rules. A public page ignores them. */
@Entity('status_page_access')
@Check('status_page_access_password_hash_check', 'char_length(password_hash) BETWEEN 1 AND 200')
@Check('status_page_access_emails_check', 'cardinality(emails) <= 1000')
@Check('status_page_access_email_domains_check', 'cardinality(email_domains) <= 100')
@Check('status_page_access_networks_check', 'cardinality(networks) <= 100')
@Check('status_page_access_oidc_client_secret_check', 'oidc IS NOT NULL OR oidc_client_secret IS NULL')
export class StatusPageAccess extends DeletedWithPage {
  @PrimaryColumn('uuid')
  status_page_id!: string;

  /** Argon2id, in the PHC string format. */
  @Column('text', { nullable: true })
  password_hash!: string | null;

  @Column('text', { array: true, default: [] })
  emails!: string[];

  @Column('text', { array: true, default: [] })
  email_domains!: string[];

  /** Addresses and networks in CIDR notation. */
  @Column('text', { array: true, default: [] })
  networks!: string[];

  @Column('jsonb', { nullable: true })
  oidc!: OidcRule | null;

  /** Encrypted by `SecretsService.encrypt`. */
  @Column('bytea', { nullable: true })
  oidc_client_secret!: Buffer | null;

  /** Version of the rules (ETag), to which sessions are bound. Each change increases it by at least a millisecond. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
