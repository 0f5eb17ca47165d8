// This service, but its PATCH of a status page writes no revision: the statement of all other resources, to tell what revisions
// cost.
import { ownRow } from '../../src/projects/own-rows.js';
import { StatusPageWrites } from '../../src/status-pages/status-page-writes.js';
import { OWN } from '../../src/status-pages/status-pages.repository.js';

StatusPageWrites.prototype.patch = async function patch(
  this: StatusPageWrites,
  access,
  id,
  values,
  _change,
  expected,
  manager,
) {
  return this.pages.table.patch(OWN, ownRow(access, id), values, expected, manager);
};

await import('../../src/main.js');
