/** The versions (`updated_at`) that a write may find, from `If-Match`; undefined: any, without the header or with `*`. */
export type ExpectedVersions = Date[] | undefined;
