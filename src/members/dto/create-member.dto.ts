import { ApiSchema, PickType } from '@nestjs/swagger';
import { UuidList } from '../../platform/validation/fields.js';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { MAX_PROJECTS, MemberDto } from './member.dto.js';

/** Request body of `POST /v1/members`. */
@Refuses({
  id: READ_ONLY,
  status: 'can only be changed with PATCH /v1/members/{id}',
  last_seen_at: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'MemberCreate' })
export class CreateMemberDto extends PickType(MemberDto, ['email', 'name', 'role'] as const) {
  @UuidList({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_PROJECTS,
    description:
      'Projects that the member is restricted to. The actor must have access to all of them. null: all projects of the organization. Default: the projects of the actor.',
    example: null,
  })
  project_ids?: string[] | null;
}
