/** The versions (`updated_at`) of `If-Match`. Undefined without the header or with `*`: any version. */
export type ExpectedVersions = Date[] | undefined;
