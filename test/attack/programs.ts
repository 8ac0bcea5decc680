/** Numbers that differ in each run of a program: ids of processes and threads, source ports, counters. The rest of each answer is equal. */

export const PROGRAMS: readonly (readonly [string, (n: number) => string])[] = [
  [
    'the cell of Jupyter in a traceback',
    n => `KeyError  Traceback\nCell In[${n + 3}], line 1\n----> 1 df['price']\nKeyError: 'price'`,
  ],
  ['the cell of Jupyter before a value', n => `Out[${n + 3}]: \nEmpty DataFrame\nColumns: []`],
  ['the prompt of IPython', n => `In [${n + 3}]: df.head()\nEmpty DataFrame\nColumns: []`],
  [
    'the input of an old IPython',
    n => `<ipython-input-${n + 3}-a1b2c3d4e5f6> in <module>\n1 failed`,
  ],
  [
    'the source port of curl',
    n =>
      `* connect to ::1 port 8080 from ::1 port ${50_000 + n * 14} failed: No route to host\n* connect to 127.0.0.1 port 8080 from 127.0.0.1 port ${51_000 + n * 14} failed: No route to host`,
  ],
  [
    'the source port of a connection of curl',
    n =>
      `* Established connection to localhost (127.0.0.1 port 8080) from 127.0.0.1 port ${50_000 + n * 14} \n> GET /x HTTP/1.1\n< HTTP/1.1 404 Not Found`,
  ],
  [
    'the source port of a socket',
    n => `node 7 root TCP localhost:${50_000 + n * 14}->localhost:5432 (SYN_SENT)`,
  ],
  [
    'the source port of a socket with an address of IPv6',
    n => `node 7 root TCP [::1]:${50_000 + n * 14}->[::1]:5432 (SYN_SENT)`,
  ],
  [
    'the source port of uvicorn',
    n => `INFO:     127.0.0.1:${40_000 + n * 14} - "GET /items HTTP/1.1" 200 OK`,
  ],
  [
    'the source port and the goroutine of Go',
    n =>
      `http: panic serving 127.0.0.1:${40_000 + n * 14}: invalid memory address\ngoroutine ${18 + n} [running]:`,
  ],
  [
    'goroutines of a data race',
    n => `WARNING: DATA RACE\nRead by goroutine ${7 + n}:\n  acme.Get()\n--- FAIL: TestX`,
  ],
  [
    'the source port of sshd',
    n => `Disconnected from invalid user admin 10.0.0.7 port ${40_000 + n * 11} [preauth]`,
  ],
  [
    'the process of Spring Boot',
    n => `ERROR ${30_000 + n * 7} --- [  main] o.s.b.d.Reporter : Port 8080 was already in use.`,
  ],
  [
    'the process that starts with Spring Boot',
    n => `Starting Application v1.0 using Java 21 with PID ${30_000 + n * 7} (/srv/app.jar)`,
  ],
  [
    'the process of Uvicorn',
    n => `INFO:     Started server process [${30_000 + n * 7}]\nERROR: bind`,
  ],
  [
    'the process of Puma',
    n =>
      `[${30_000 + n * 7}] Puma starting in cluster mode...\n[${30_000 + n * 7}] * Listening on http://127.0.0.1:3000\n[${30_000 + n * 7}] ! Unable to start`,
  ],
  [
    'a child of PHP-FPM',
    n => `WARNING: [pool www] child ${30_000 + n * 7} exited on signal 11 (SIGSEGV)`,
  ],
  [
    'the process of mysqld',
    n => `mysqld 8.0 starting as process ${30_000 + n * 7}\n[ERROR] error 13`,
  ],
  [
    'a process that the kernel killed',
    n =>
      `kernel: Out of memory: Killed process ${30_000 + n * 7} (node) total-vm:1234kB, anon-rss:${71_000 + n * 17}kB`,
  ],
  ['a process of adb logcat', n => `E/AndroidRuntime(${30_000 + n * 7}): NullPointerException`],
  ['a padded process of adb logcat', n => `W/System.err( ${3_000 + n * 7}): no route to the host`],
  [
    'a process and a thread of adb logcat',
    n =>
      `01-03 14:18:${10 + n}.123 ${30_000 + n * 7} ${30_020 + n * 9} E AndroidRuntime: NullPointerException`,
  ],
  [
    'the process of Redis',
    n =>
      `${30_000 + n * 7}:C 03 Jan 2026 14:18:10.123 * Redis is starting\n${30_000 + n * 7}:M 03 Jan 2026 14:18:10.124 * Ready`,
  ],
  [
    'a process of lsof',
    n =>
      `COMMAND   PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME\nnode    ${30_000 + n * 7} root   18u  IPv6 ${400_000 + n * 91}      0t0  TCP *:8080 (LISTEN)`,
  ],
  ['a process of ss', n => `LISTEN 0 511 *:8080 *:* users:(("node",pid=${30_000 + n * 7},fd=18))`],
  ['a process of nohup', n => `[1] ${30_000 + n * 7}\nnohup: ignoring input`],
  [
    'a process of Elixir',
    n => `** (exit) exited in: GenServer.call(#PID<0.${200 + n * 3}.0>, :get, 5000)`,
  ],
  [
    'a process of SQL Server',
    n => `Msg 1205, Level 13\nTransaction (Process ID ${50 + n}) was deadlocked on lock resources.`,
  ],
  [
    'a process and a thread of Apache',
    n =>
      `[core:notice] [pid ${30_000 + n * 7}:tid ${139_900_000_000 + n * 7}] AH00094: Command line`,
  ],
  [
    'a process of xcodebuild',
    n => `2026-01-03 14:18:${10 + n}.000 xcodebuild[${30_000 + n * 7}:${6_789_000 + n}] no scheme`,
  ],
  [
    'a request thread of Tomcat',
    n => `[http-nio-8080-exec-${n}] ERROR c.a.Api - threw an exception`,
  ],
  ['a thread of a Java pool', n => `[pool-${n}-thread-${n + 1}] ERROR c.a.Api - no such table`],
  ['a thread of Python', n => `Exception in thread Thread-${n} (run):\nValueError: bad`],
  ['a worker of Celery', n => `[ERROR/ForkPoolWorker-${n}] Task tasks.add raised unexpected: boom`],
  [
    'timings of Algolia',
    n =>
      `{"hits":[{"id":"a"}],"processingTimingsMS":{"_request":{"roundTrip":${n}},"total":${n}},"page":0}`,
  ],
  [
    'statistics of Loki',
    n =>
      `{"result":["a"],"summary":{"bytesProcessedPerSecond":${n * 91},"linesProcessedPerSecond":${n},"execTime":0.00${n}}}`,
  ],
  [
    'times of Neo4j',
    n => `{"records":["a"],"resultAvailableAfter":${n},"resultConsumedAfter":${n}}`,
  ],
  [
    'the quota of Stack Exchange',
    n => `{"items":["a"],"quota_max":300,"quota_remaining":${299 - n}}`,
  ],
  [
    'a stage and a task of Spark',
    n =>
      `Job aborted: Task 0 in stage ${n}.0 failed 4 times, most recent failure: Lost task 0.3 in stage ${n}.0 (TID ${n * 4 + 3}) (10.0.0.7 executor 1)`,
  ],
  [
    'the folder of Ansible',
    n =>
      `mkdir ~/.ansible/tmp/ansible-tmp-${1_767_450_000 + n * 21}.${123_456 + n}-${30_000 + n * 7}-${123_456_789_012_345 + n} : not allowed`,
  ],
  [
    'the clock and a process of dmesg',
    n =>
      `[${81_234 + n * 21}.${123_456 + n}] usb 1-1: error -71\n[    ${n}.${123_456 + n}] a.out[${30_000 + n * 7}]: segfault`,
  ],
  [
    'allocations of Rails',
    n => `Completed 500 Internal Server Error (Allocations: ${10_123 + n * 71})`,
  ],
  [
    'the figures of time -v',
    n =>
      `no rows\n\tPercent of CPU this job got: ${60 + n}%\n\tMaximum resident set size (kbytes): ${2_000 + n}\n\tMinor (reclaiming a frame) page faults: ${90 + n}\n\tVoluntary context switches: ${n}`,
  ],
  [
    'the page faults of time',
    n => `no rows\n0inputs+0outputs (0major+${90 + n}minor)pagefaults 0swaps`,
  ],
  ['the runs of hyperfine', n => `Range (min … max):  12.${n} ms …  18.${n} ms    ${200 + n} runs`],
  [
    'the used tokens of OpenAI',
    n => `Rate limit reached for gpt-4o: Limit 30000, Used ${28_000 + n * 17}, Requested 1500.`,
  ],
  [
    'an error of Salesforce',
    n =>
      `An unexpected error occurred. Please include this ErrorId if you contact support: ${123_456_789 + n * 7}-${12_345 + n} (-${123_456_789 + n * 3})`,
  ],
  ['a row of Postgres', n => `CONTEXT:  while updating tuple (${n},${n * 3}) in relation "orders"`],
]
