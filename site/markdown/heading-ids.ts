/** The anchor of a heading, as GitHub makes it, so that links work in the repository too. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Anchors of the headings of one page: a repeated heading is numbered. */
export class HeadingIds {
  private readonly used = new Map<string, number>();

  next(heading: string): string {
    const slug = slugOf(heading);
    const count = this.used.get(slug);
    this.used.set(slug, (count ?? 0) + 1);
    return count === undefined ? slug : `${slug}-${count}`;
  }
}
