/** The same request, refused with a page or a text that differs each time, and deployments whose error stands at the end. */
import type { Shape } from './loops.ts'

const digits = (n: number, length: number) =>
  String(n * 7_919 + 10 ** (length - 1)).slice(0, length)
const drawn = (n: number, length: number) =>
  Array.from({ length }, (_, at) => 'aB3dE7gHk9Lm'[(n * 7 + at * 5) % 12]).join('')
const hex = (n: number, length: number) =>
  Array.from({ length }, (_, at) => '0123456789abcdef'[(n * 7 + at * 5) % 16]).join('')

const WALLS: readonly (readonly [string, (n: number) => unknown])[] = [
  [
    'Akamai',
    n =>
      `<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don't have permission to access "http&#58;&#47;&#47;shop" on this server.<P>\nReference&#32;&#35;18&#46;${hex(n, 8)}&#46;${1_772_000_000 + n}&#46;${hex(n * 3, 7)}\n<P>\nhttps&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;${hex(n, 8)}&#46;${1_772_000_000 + n}&#46;${hex(n * 3, 7)}\n</BODY>\n</HTML>`,
  ],
  [
    'Akamai, as a text',
    n =>
      `Access Denied\n\nYou don't have permission to access "http://shop" on this server.\n\nReference #18.${hex(n, 8)}.${1_772_000_000 + n}.${hex(n * 3, 7)}`,
  ],
  [
    'Imperva',
    n =>
      `<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><iframe src="/_Incapsula_Resource?xinfo=${n}-${digits(n, 8)}-0&incident_id=${digits(n, 18)}-${digits(n, 15)}&edet=12" frameborder=0>Request unsuccessful. Incapsula incident ID: ${digits(n, 18)}-${digits(n, 15)}</iframe></html>`,
  ],
  [
    'Cloudflare',
    n =>
      `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to continue</noscript><script>(function(){window._cf_chl_opt={cRay:'${hex(n, 16)}',cH:'${drawn(n, 43)}-1772000${n}-1.2.1.1-${drawn(n * 3, 64)}'};}());</script></body></html>`,
  ],
  [
    'DataDome',
    n =>
      `<html><head><title>x.test</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={'cid':'${drawn(n, 30)}==','s':${10_000 + n * 37},'e':'${hex(n, 64)}'}</script></body></html>`,
  ],
  [
    'a page of GitHub',
    n =>
      `<meta name="request-id" content="${hex(n, 4)}:${hex(n * 3, 6)}"><meta name="visitor-payload" content="${drawn(n, 120)}"><title>Page not found</title>This is not the web page you are looking for.`,
  ],
]

const refused = (n: number) =>
  `An error occurred (UnauthorizedOperation) when calling the RunInstances operation: You are not authorized to perform this operation. Encoded authorization failure message: ${drawn(n, 300)}-_${drawn(n * 3, 300)}`

const SERVICES = 'report invoice summary draft plan notes budget roadmap'.split(' ')
const service = (n: number) => `${SERVICES[n % 8]}-${n}`

const OUTPUTS: readonly (readonly [string, unknown])[] = [
  [
    'docker push',
    'The push refers to repository [docker.io/acme/app]\n5f70bf18a086: Preparing\ndenied: requested access to the resource is denied',
  ],
  [
    'terraform apply',
    'aws_instance.web: Creating...\n╷\n│ Error: creating EC2 Instance: api error UnauthorizedOperation\n│\n│   with aws_instance.web,\n│   on main.tf line 3\n╵',
  ],
  [
    'gcloud run deploy',
    "Updated property [core/project].\nERROR: (gcloud.run.deploy) PERMISSION_DENIED: Permission 'run.services.create' denied",
  ],
  [
    'cdk deploy',
    '✨  Synthesis time: 4.2s\n\nweb: deploying... [1/1]\n❌  web failed: AccessDenied: not authorized',
  ],
  ['a record', { output: 'Deploying to production...\nError: deployment failed: 403 Forbidden' }],
  ['exit code 1 of Claude', 'Exit code 1\nDeploying to production...'],
  [
    'exit code 1 of Codex, as JSON',
    { output: 'Deploying to production...', metadata: { exit_code: 1, duration_seconds: 1.2 } },
  ],
]

/** The tool of these shapes that is declared as a write. */
export const DEPLOYS: readonly string[] = ['deploy']

export const SAME_WALLS: readonly Shape[] = [
  ...WALLS.map(([of, page]) => ({
    name: `the same address behind ${of}`,
    lap: (n: number) => ({
      tool: 'fetch',
      args: { url: 'https://shop.test/p/1' },
      result: page(n),
    }),
  })),
  {
    name: 'the same command of AWS, refused with an encoded message',
    lap: n => ({ tool: 'bash', args: { command: 'aws ec2 run-instances' }, result: refused(n) }),
  },
]

export const FAILED_DEPLOYS: readonly Shape[] = OUTPUTS.map(([of, result]) => ({
  name: `a deployment of one service after the other, whose error stands at the end: ${of}`,
  lap: n => ({ tool: 'deploy', args: { service: service(n), env: 'prod' }, result }),
}))
