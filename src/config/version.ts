/** Of the service, as the OpenAPI document and the command line say it. */
export const VERSION = '0.1.0';
