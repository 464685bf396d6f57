import type { FastifyRequest } from 'fastify';

/** Whether the client has the content with this entity tag (RFC 9110 §13.1.2). */
export function isNotModified({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((one) => {
    const name = one.trim();
    return name === '*' || name === tag || name === `W/${tag}`;
  });
}
