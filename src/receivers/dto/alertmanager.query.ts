import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Pattern } from '../../platform/validation/fields.js';

/** The query parameters of `POST /v1/receivers/alertmanager`. */
export class AlertmanagerQuery {
  @ProjectId('Project that owns the monitors.')
  project_id!: string;

  @Pattern({
    pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/,
    max: 100,
    form: 'the name of a label: letters, digits and underscores',
    optional: true,
    description: 'The label that contains the ID of the monitor. Alerts without it are skipped.',
    default: 'monitor_id',
  })
  label: string = 'monitor_id';

  @Choice({
    of: REPORTED_STATUSES,
    optional: true,
    description:
      'The status of a monitor while an alert fires. The label `status` of an alert replaces it, if it is one of these words.',
    default: 'major_outage',
  })
  status: ReportedStatus = 'major_outage';
}
