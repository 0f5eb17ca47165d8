/** The versions (`updated_at`) of `If-Match`. Undefined without the header or with `*`: all versions match. */
export type ExpectedVersions = Date[] | undefined;
