export async function benchLate(_order: object, _isCompared: boolean): Promise<object> { return {}; }
