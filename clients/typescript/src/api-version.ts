/** Version of the documents of the API that this package is made of. */
export const API_VERSION: string = '0.1.0';
