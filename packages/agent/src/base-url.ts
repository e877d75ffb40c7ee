/**
 * Reads the address of an arena as people write it, with or without `/api` and a closing slash, and returns its root
 * without either: `https://tesserax.net/api/` and `https://tesserax.net` are the same arena. A path before `/api` stays
 * (an arena behind a prefix), query and fragment do not.
 *
 * @throws TypeError with a sentence for its writer, when it is no http or https URL or has a user name in it, which
 * fetch would refuse at every call
 */
export function parseBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError(`"${text}" is not a URL. Write it like https://arena.example.`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`"${text}" has to start with http:// or https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`The arena's URL must not hold a user name or password: ${url.host}.`);
  }
  return (
    url.origin +
    url.pathname
      .replace(/\/+$/, "")
      .replace(/\/api$/, "")
      .replace(/\/+$/, "")
  );
}
