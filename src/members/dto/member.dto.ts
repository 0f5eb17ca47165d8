import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { CreatedAt, NullableTime, ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, Text, UuidList } from '../../platform/validation/fields.js';
import { Email } from '../../subscribers/dto/email.js';
import { MEMBER_STATUSES, type MemberStatus } from '../member.entity.js';
import { type Role, ROLES } from '../roles.js';

/** Maximum number of projects that a member is restricted to. */
export const MAX_PROJECTS = 1_000;

/** A member in a response. */
@ApiSchema({ name: 'Member' })
export class MemberDto {
  @ResponseId('ID of the member.', EXAMPLE_IDS.member)
  id!: string;

  @Email({
    description: 'Email address in lower case. Unique in the organization.',
    example: 'grace@example.com',
  })
  email!: string;

  @Text({ min: 1, max: 200, description: 'Display name.', example: 'Grace Hopper' })
  name!: string;

  @Choice({
    of: ROLES,
    description:
      '`viewer`: reads everything. `responder`: also writes incidents, maintenance windows and reports. `editor`: also writes status pages, monitors, templates and subscribers. `admin`: has all scopes.',
    example: 'responder',
  })
  role!: Role;

  @UuidList({
    nullable: true,
    min: 1,
    max: MAX_PROJECTS,
    description: 'Projects that the member is restricted to; null: all projects of the organization.',
    example: null,
  })
  project_ids!: string[] | null;

  @Choice({
    of: MEMBER_STATUSES,
    description:
      '`invited`: has never signed in. `active`: can sign in. `disabled`: cannot sign in, and has no sessions.',
    example: 'active',
  })
  status!: MemberStatus;

  @NullableTime('Time of the latest request to the console, accurate to a minute; null: never.')
  last_seen_at!: Date | null;

  @CreatedAt()
  created_at!: Date;

  @UpdatedAt()
  updated_at!: Date;
}
