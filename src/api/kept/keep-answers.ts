import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createKeptAnswerer, type KeptAnswererParts } from './answer-kept.ts';
import { KeptAnswers } from './kept-answers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers made of current rows, which are sent without the framework while they hold. */
    keptAnswers: KeptAnswers;
  }
}

/** Lets a server answer equal requests with kept answers, before its framework sees them. */
export function keepAnswers(
  app: FastifyInstance,
  parts: Omit<KeptAnswererParts, 'kept' | 'isOn'>,
): void {
  const kept = new KeptAnswers(parts.deps);
  app.decorate('keptAnswers', kept);
  // Requests in flight while the server closes end their connections; the framework sees to it.
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  const isLogged = () => app.log.level === 'debug' || app.log.level === 'trace';
  const isContradicted = () => {
    try {
      return parts.deps.chain.standstill()?.isContradicted === true;
    } catch {
      // The framework meets the same defect, and answers the request with it.
      return true;
    }
  };
  const isOn = () => !isClosing && !isLogged() && !isContradicted();
  const answer = createKeptAnswerer({ ...parts, kept, isOn });
  const [framework] = app.server.listeners('request') as RequestListener[];
  if (framework === undefined) throw new TypeError('the server has no listener for requests');
  app.server.removeListener('request', framework);
  app.server.on('request', (request, response) => {
    if (!answer(request, response)) framework(request, response);
  });
}
