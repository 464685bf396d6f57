import { Type } from 'typebox';

/** Position of a page in a body, after the items and their total. */
export const PAGE_FIELDS = {
  page: Type.Integer(),
  per_page: Type.Integer(),
  pages: Type.Integer(),
};

/** The figures of a page of `total` items. */
export function presentPage(
  { page, per_page }: { readonly page: number; readonly per_page: number },
  total: number,
) {
  return { total, page, per_page, pages: Math.ceil(total / per_page) };
}
