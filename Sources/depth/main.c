// The entry of the program, in C: it has the arguments that the system gave, also where Swift's `CommandLine` does not find them.

_Noreturn void depth_main(int count, char **arguments);

int main(int count, char **arguments) { depth_main(count, arguments); }
