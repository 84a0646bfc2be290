// The name of a downloaded file, as the server gives it.

export function fileName(disposition: string | null, otherwise: string): string {
  const quoted = /filename="([^"\\/]+)"/.exec(disposition ?? "")?.[1];
  return quoted ?? otherwise;
}
