import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Choice } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MemberDto } from './member.dto.js';

/** Statuses that an update can set. */
export const SETTABLE_STATUSES = ['active', 'disabled'] as const;

/** Request body of `PATCH /v1/members/{id}`. Omitted fields keep their values. */
@Refuses({
  id: READ_ONLY,
  email: 'is read-only; invite the new address instead',
  last_seen_at: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'MemberUpdate' })
export class UpdateMemberDto extends PartialType(
  PickType(MemberDto, ['name', 'role', 'project_ids'] as const),
) {
  @Choice({
    of: SETTABLE_STATUSES,
    optional: true,
    description: '`disabled` ends all sessions of the member.',
    example: 'active',
  })
  status?: (typeof SETTABLE_STATUSES)[number];
}
