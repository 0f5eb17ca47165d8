import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, Pattern } from '../../platform/validation/fields.js';

/** Query parameters of `POST /v1/receivers/alertmanager`. */
export class AlertmanagerQuery {
  @ProjectId('Project that owns the monitors.')
  project_id!: string;

  @Pattern({
    pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/,
    max: 100,
    form: 'the name of a label: letters, digits and underscores',
    optional: true,
    description: 'Name of the label that contains the monitor ID. Alerts without this label are skipped.',
    default: 'monitor_id',
  })
  label: string = 'monitor_id';

  @Choice({
    of: REPORTED_STATUSES,
    optional: true,
    description:
      'Status of a monitor while an alert fires. If an alert has a label `status` with one of these values, the label takes precedence.',
    default: 'major_outage',
  })
  status: ReportedStatus = 'major_outage';
}
