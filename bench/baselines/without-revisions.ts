// This service, but its PATCH of a status page writes no revision: the statement of all other resources, to tell what revisions
// cost.
import { ownRowParameters } from '../../src/projects/own-rows.js';
import { OWN, StatusPagesRepository } from '../../src/status-pages/status-pages.repository.js';

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
