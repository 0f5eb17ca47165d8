import { Foundation1763640000000 } from './1763640000000-foundation.js';
import { PagesOfAMonitor1763650000000 } from './1763650000000-pages-of-a-monitor.js';
import { ListProjects1763650100000 } from './1763650100000-list-projects.js';
import { ListMonitors1763650200000 } from './1763650200000-list-monitors.js';
import { ListApiKeys1763650300000 } from './1763650300000-list-api-keys.js';
import { ListApiKeysOfProjects1763650400000 } from './1763650400000-list-api-keys-of-projects.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Foundation1763640000000,
  PagesOfAMonitor1763650000000,
  ListProjects1763650100000,
  ListMonitors1763650200000,
  ListApiKeys1763650300000,
  ListApiKeysOfProjects1763650400000,
];
