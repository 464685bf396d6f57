/**
 * Exits with 0 if the service on this machine is ready, else with 1 and the reason. For health
 * checks of containers, whose images have no HTTP client but Node.
 */
const http = require('http');

const TIMEOUT_MS = 4000;
const port = process.env.MINTSCOPE_PORT || '8080';

function unhealthy(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

const request = http.get(
  { host: '127.0.0.1', port: port, path: '/readyz', timeout: TIMEOUT_MS },
  (response) => {
    if (response.statusCode === 200) process.exit(0);
    response.setEncoding('utf8');
    let body = '';
    response.on('data', (chunk) => {
      body += chunk;
    });
    response.on('end', () => unhealthy(`/readyz answered ${response.statusCode}: ${body}`));
  },
);
request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
request.on('error', (error) => unhealthy(`/readyz cannot be reached: ${error.message}`));
