import { ruleModelName } from '../../model/signal.ts';

/** That a signal is of a rule of one of as many authors, by the parameters of `modelsOfAuthors`. */
export function isOfAuthors(authorCount: number): string {
  const models = Array.from(
    { length: authorCount },
    (_, at) => `startsWith(model, {author${at}:String})`,
  );
  return `(${models.join(' OR ') || 'false'})`;
}

/** Parameters `author0` and so on. */
export function modelsOfAuthors(authors: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    authors.map((author, at) => [`author${at}`, ruleModelName(author, '')]),
  );
}
