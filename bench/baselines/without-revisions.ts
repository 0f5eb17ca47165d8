// This service without revisions for a PATCH of a status page. It runs the same statement as other resources, which
// shows the cost of revisions.
import { OWN, ownRowParameters } from '../../src/platform/database/own-rows.js';
import { StatusPagesRepository } from '../../src/status-pages/status-pages.repository.js';

StatusPagesRepository.prototype.patch = async function patch(
  this: StatusPagesRepository,
  access,
  id,
  values,
  _change,
  expected,
  manager,
) {
  return this.table.patch(OWN, ownRowParameters(access, id), values, expected, manager);
};

await import('../../src/main.js');
