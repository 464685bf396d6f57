/** Version of the service, for the OpenAPI document and the command line. */
export const VERSION = '0.1.0';
