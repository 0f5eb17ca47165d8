/** Organization that the first migration creates. Default of the CLI. */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-7000-8000-000000000001';
