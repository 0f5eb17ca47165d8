import { Choice, Time } from '../../../platform/validation/fields.js';
import { RESOLUTIONS, type Resolution } from '../response-time.entity.js';

/** Query parameters of `GET /v1/monitors/{id}/response-times`. */
export class ResponseTimesQuery {
  @Time({
    optional: true,
    description:
      'Start of the range, rounded down to an hour or a day in UTC. At most 32 days before `to` with hours, 400 days with days. Default: 24 hours or 30 days before `to`.',
  })
  from?: Date;

  @Time({ optional: true, description: 'End of the range. Default: now.' })
  to?: Date;

  @Choice({ optional: true, of: RESOLUTIONS, description: 'Length of a period. Default: hour.' })
  resolution?: Resolution;
}
