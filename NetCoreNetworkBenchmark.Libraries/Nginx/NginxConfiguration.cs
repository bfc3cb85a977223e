namespace NetCoreNetworkBenchmark.Libraries.Nginx;

// https://nginx.org/en/docs/dirindex.html
internal static class NginxConfiguration
{
    // A parameter of a directive, with the character after it, fits into a buffer of 4,096 bytes (NGX_CONF_BUFFER of ngx_conf_file.c).
    public const int LargestContent = 4_095;

    private const int MaxConnections = 16_384;

    public static void Write(string folder, IPEndPoint endPoint, ServerSetup setup)
    {
        File.WriteAllText(Path.Combine(folder, "nginx.conf"), Create(endPoint, setup.Plan));
        if (setup.Credentials is { } credentials)
        {
            File.WriteAllText(Path.Combine(folder, "server.crt"), credentials.ServerCertificate);

            // No other user can read the folder, so none can read the key.
            File.WriteAllText(Path.Combine(folder, "server.key"), credentials.ServerKey);
            File.WriteAllText(Path.Combine(folder, "authority.crt"), credentials.Authority);
        }
    }

    public static string Create(IPEndPoint endPoint, RunPlan plan) => FormattableString.Invariant(
        $$"""
        daemon off;
        worker_processes {{plan.ServerThreads}};
        worker_rlimit_nofile {{MaxConnections}};
        pid nginx.pid;
        error_log error.log error;
        events { worker_connections {{MaxConnections}}; }
        http {
            access_log off;
            keepalive_timeout 0;
            server_tokens off;
            client_body_temp_path client;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            server {
                listen {{endPoint}}{{(plan.Protocol == Protocol.Ssl ? " ssl" : string.Empty)}} reuseport backlog={{ServerSocket.Backlog}};
        {{(plan.Protocol == Protocol.Ssl ? Tls(plan.Tls) : string.Empty)}}
                location / {
                    default_type text/plain;
                    return 200 {{new string('x', plan.MessageSize)}};
                }
            }
        }

        """);

    private static string Tls(TlsPlan tls) =>
        $"""
                ssl_certificate server.crt;
                ssl_certificate_key server.key;
                ssl_protocols {tls.Version switch { TlsPlan.Version12 => "TLSv1.2", TlsPlan.Version13 => "TLSv1.3", _ => "TLSv1.2 TLSv1.3" }};
                ssl_conf_command NumTickets {(tls.Resumption == TlsPlan.NoResumption ? 0 : 1)};
                ssl_session_tickets {(tls.Resumption == TlsPlan.ByTicket ? "on" : "off")};
                ssl_session_cache {(tls.Resumption == TlsPlan.BySession ? "shared:run:10m" : "off")};
                {(tls.Mutual ? "ssl_client_certificate authority.crt; ssl_verify_client on;" : string.Empty)}
        """;
}
