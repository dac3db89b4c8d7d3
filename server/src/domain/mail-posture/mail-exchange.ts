export type MailExchange = { readonly exchange: string; readonly priority: number };

/**
 * RFC 5321 5.1: mail goes to an MX, or without any to the address of the name itself. RFC 7505: an MX that leads to the
 * root says that there is no taking of mail here.
 */
export const takesMail = (mx: readonly MailExchange[], hasAddress: boolean): boolean =>
  mx.length === 0 ? hasAddress : mx.some(({ exchange }) => exchange !== '' && exchange !== '.');
