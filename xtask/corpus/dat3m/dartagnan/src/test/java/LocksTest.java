        return () -> getTestResourcePath("locks/" + name + ".ll");
                {"lock", TSO, UNKNOWN},
                {"lock", ARM8, FAIL},
                // {"lock", TSO, FAIL},
                {"absent", TSO, PASS},
