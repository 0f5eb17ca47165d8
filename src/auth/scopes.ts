/** Every scope a key can carry; each operation requires one, and none implies another (spec, section 5). */
export const SCOPES = ['status_pages:read', 'status_pages:write'] as const;

export type Scope = (typeof SCOPES)[number];
