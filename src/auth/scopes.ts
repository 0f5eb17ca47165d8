/** Every scope a key can carry; each operation says which ones it requires, and none implies another (spec, section 5). */
export const SCOPES = [
  'status_pages:read',
  'status_pages:write',
  'projects:read',
  'projects:write',
  'monitors:read',
  'monitors:write',
  'api_keys:read',
  'api_keys:write',
] as const;

export type Scope = (typeof SCOPES)[number];
