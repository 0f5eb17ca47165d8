/**
 * Returns the path of a status page below the public URL, where its overview is: `/` for the page of `HOME_PAGE`.
 * @param home `HOME_PAGE`
 */
export function pagePath(slug: string, home: string | undefined): string {
  return slug === home ? '/' : `/status/${slug}`;
}
