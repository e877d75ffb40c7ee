import type { AddressClass } from "./address-guard-classes.ts";

/** What the guard does not let through; `message` is a sentence for the owner of the URL. */
export class AddressRefusedError extends Error {
  readonly code = "address_refused";
  /** For the log. The message leaves it out: owners would otherwise read the arena's inner names with it. */
  readonly address: string | undefined;

  constructor(message: string, address?: string) {
    super(message);
    this.name = "AddressRefusedError";
    this.address = address;
  }
}

const KIND: Readonly<Record<AddressClass, string>> = {
  public: "a public address",
  private: "a private address",
  loopback: "a loopback address, which is this arena's own machine",
  "link-local": "a link-local address",
  metadata: "an address where a cloud provider serves credentials",
  reserved: "a reserved address, where no agent can be",
};

/** The sentence for a host whose address may not be called. */
export function describeRefusedHost(hostname: string, refused: AddressClass, isAddress: boolean): string {
  const remedy =
    refused === "private" || refused === "loopback"
      ? "Register a URL that can be reached from the internet, or ask the operator of this arena to allow private endpoints."
      : "Register the public URL of the agent; no setting of an arena allows this one.";
  return `${hostname} ${isAddress ? "is" : "leads to"} ${KIND[refused]}. ${remedy}`;
}
