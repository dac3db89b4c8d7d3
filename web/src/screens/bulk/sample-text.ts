/** Invented: documentation addresses, reserved names, the EICAR test file, in the spellings that analysts use. */
export const SAMPLE_TEXT = `Nov 15 03:12:07 edge sshd[4121]: Failed password for root from 203.0.113.45 port 52144 ssh2
Nov 15 03:12:09 edge sshd[4121]: Failed password for root from 203.0.113.45 port 52150 ssh2
Nov 15 03:12:31 edge sshd[4127]: Accepted publickey for ops from 10.20.0.4 port 50022 ssh2
Nov 15 03:14:55 proxy CONNECT resolver 8.8.8.8:53, upstream 9.9.9.9:53
Nov 15 03:14:58 proxy CONNECT resolver 8.8.8.8:53, answered in 12 ms
Nov 15 03:15:02 proxy GET hxxps://login-verify[.]example[.]com/session?id=77 from 192.168.1.20

From the report: the loader calls update-check[.]example[.]net and cdn(.)example(.)org,
drops a file with SHA-256 275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f
and MD5 44d88612fea8a8f36de82e1278abb02f, then asks 2606:4700:4700::1111 for names.

"indicator","seen"
"198.51.100.23","2026-11-14"
"www[.]iana[.]org","2026-11-14"
"300.1.2.3","2026-11-14"
`;
