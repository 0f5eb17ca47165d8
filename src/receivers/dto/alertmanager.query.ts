import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { Choice, type FieldOptions, Pattern } from '../../platform/validation/fields.js';

/** Maximum length of a label's name. */
export const MAX_LABEL_LENGTH = 100;

const LabelName = (options: FieldOptions) =>
  Pattern({
    pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/,
    max: MAX_LABEL_LENGTH,
    form: 'the name of a label: letters, digits and underscores',
    optional: true,
    ...options,
  });

/** Query parameters of `POST /v1/receivers/alertmanager`. */
export class AlertmanagerQuery {
  @ProjectId('Project that owns the monitors.')
  project_id!: string;

  @LabelName({
    description:
      'Name of the label that contains the monitor ID. Takes precedence over `key_label`. Alerts with neither label are skipped.',
    default: 'monitor_id',
  })
  label: string = 'monitor_id';

  @LabelName({
    description: 'Name of the label that contains the monitor key.',
    default: 'monitor_key',
  })
  key_label: string = 'monitor_key';

  @Choice({
    of: REPORTED_STATUSES,
    optional: true,
    description:
      'Status of a monitor while an alert fires. If an alert has a label `status` with one of these values, the label takes precedence.',
    default: 'major_outage',
  })
  status: ReportedStatus = 'major_outage';
}
