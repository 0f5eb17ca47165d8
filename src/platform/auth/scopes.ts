/** All scopes (spec, section 5). No scope implies another. */
export const SCOPES = [
  'status_pages:read',
  'status_pages:write',
  'projects:read',
  'projects:write',
  'monitors:read',
  'monitors:write',
  'monitor_reports:write',
  'incidents:read',
  'incidents:write',
  'maintenances:read',
  'maintenances:write',
  'events:read',
  'subscribers:read',
  'subscribers:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'members:read',
  'members:write',
] as const;

export type Scope = (typeof SCOPES)[number];
