import { ApiSchema, PickType } from '@nestjs/swagger';
import { TimeOf } from '../../../platform/openapi/response-fields.js';
import { ListQuery } from '../../../platform/pagination/list-page.js';
import { ProjectId } from '../../../projects/dto/project-id.js';
import { StatusPageDto } from '../../dto/status-page.dto.js';

/** A deleted status page that can be restored. */
@ApiSchema({ name: 'DeletedStatusPage' })
export class DeletedStatusPageDto extends PickType(StatusPageDto, ['id', 'name', 'slug', 'project_id']) {
  @TimeOf('Deletion time in UTC, with millisecond precision.')
  deleted_at!: Date;

  @TimeOf('Time until which the status page can be restored, in UTC, with millisecond precision.')
  restorable_until!: Date;
}

/** Query parameters of `GET /v1/deleted-status-pages`. */
export class ListDeletedStatusPagesQuery extends ListQuery {
  @ProjectId('Project whose deleted status pages are listed.')
  project_id!: string;
}
