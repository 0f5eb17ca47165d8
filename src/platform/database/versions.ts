/** Versions (`updated_at`) in `If-Match`. undefined without the header or with `*`, which match all versions. */
export type ExpectedVersions = Date[] | undefined;
